% a grammar of sentences
% goal: phrase(sentence(T), [the,cat,sees,a,dog])
% goal: phrase(sentence(T), [a,dog,sees])
% goal: phrase(noun_phrase(N), [the,dog])
sentence(s(N, V)) --> noun_phrase(N), verb_phrase(V).
noun_phrase(np(D, N)) --> determiner(D), noun(N).
verb_phrase(vp(V, N)) --> verb(V), noun_phrase(N).
verb_phrase(vp(V)) --> verb(V).
determiner(the) --> [the].
determiner(a) --> [a].
noun(cat) --> [cat].
noun(dog) --> [dog].
verb(sees) --> [sees].
