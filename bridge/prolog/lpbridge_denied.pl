/** <module> Untrusted programs, second wall: denied when it tries

Whatever a program gets to call, what matters is not there: the foreign predicates by which SWI-Prolog reaches files,
processes, the environment, foreign code, sockets, threads, the terminal and Python lose their implementation. This is
no check that could be got round, and nothing in Prolog brings them back: the functions can only be registered by
foreign code, and foreign code can no longer be loaded. In the place of each is a clause that raises a permission error.

Of foreign predicates with an ordinary name only those are kept that are listed here (kept/1). Those whose name begins
with `$` differ between versions of SWI-Prolog: there the ones that matter are listed (denied/1).

Programs are loaded all the same: a few of these predicates come back in Prolog, and know the files that Python has
given them (give/3), those that were loaded already, and an environment without variables.
*/

:- module(lpbridge_denied,
          [ deny/1,          % -True
            give/3,          % +File, +Text, -True
            gone/3,          % ?Module, ?Name, ?Arity
            denied/1         % ?PI
          ]).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(prolog_wrap)).

%!  deny(-True) is det.
%
%   Take the predicates away, for good.

deny(true) :-
    forall(source_file(File), ( time_of(File, Time), assertz(loaded(File, Time)) )),
    '$messages':current_message_lang(Language),         % asks the environment, unless the flag is set
    set_prolog_flag(message_language, Language),
    '$autoload':load_library_index(lpbridge_denied, 0), % and never again
    retractall('$autoload':index_checked_at(_)),
    assertz('$autoload':index_checked_at(1.0e15)),
    findall(PI, taken(PI), PIs),
    partition(==(system:redefine_system_predicate/1), PIs, Last, Others),
    maplist(take, Others),
    forall(replaced(PI), give_back(PI)),
    guard,
    maplist(take, Last).

time_of(File, Time) :- source_file_property(File, modified(Time)), number(Time), !.
time_of(_, 1.0).

%   All of Python; what is listed; and what has an ordinary name and is not known.
taken(Module:Name/Arity) :-
    current_module(Module),
    '$c_current_predicate'(_, Module:Head),
    \+ '$get_predicate_attribute'(Module:Head, imported, _),
    '$get_predicate_attribute'(Module:Head, foreign, 1),
    functor(Head, Name, Arity),
    (   Module == system
    ->  \+ is_kept(Name, Arity)
    ;   \+ other(Module)
    ).

is_kept(Name, Arity) :-
    (   sub_atom(Name, 0, _, _, $)
    ->  \+ denied(Name/Arity)
    ;   ordinary(Name)
    ->  kept(Names),
        memberchk(Name/Arity, Names)
    ;   true                % ==/2, !/0 and their like
    ).

ordinary(Name) :-
    sub_atom(Name, 0, 1, _, Letter),
    char_type(Letter, alpha).

%   Libraries with foreign predicates that touch nothing but streams and terms that are there.
other(read_util).

:- dynamic gone/3.

%!  gone(?Module, ?Name, ?Arity) is nondet.
%
%   The predicates that were taken away. What has come back in Prolog is among them.

take(Module:Name/Arity) :-
    assertz(gone(Module, Name, Arity)),
    functor(Head, Name, Arity),
    redefine_system_predicate(Module:Head),
    (   Module == janus
    ->  true                % not there at all
    ;   clause_into(Module, ( Head :- throw(error(permission_error(call, untrusted, Name/Arity), _)) ))
    ).

clause_into(Module, Clause) :-
    Clause = ( Head :- _ ),
    '$set_predicate_attribute'(Module:Head, system, false),
    assertz(Module:Clause),
    '$set_predicate_attribute'(Module:Head, trace, false),
    '$set_predicate_attribute'(Module:Head, system, true).

                 /*******************************
                 *             FILES            *
                 *******************************/

:- dynamic
    loaded/2,               % File, Time
    given/2.                % File, Text

%!  give(+File, +Text, -True) is det.
%
%   File, a full name, can be read.

give(File, Text, true) :-
    retractall(given(File, _)),
    assertz(given(File, Text)).

replaced(PI) :-
    member(PI, [ open/4, open/3, exists_file/1, exists_directory/1, access_file/2, time_file/2, same_file/2,
                 getenv/2, expand_file_name/2 ]).

give_back(Name/Arity) :-
    functor(Head, Name, Arity),
    Head =.. [_|Arguments],
    atom_concat(known_, Name, Known),
    Body =.. [Known|Arguments],
    '$set_predicate_attribute'(system:Head, system, false),
    retractall(system:Head),
    clause_into(system, ( Head :- lpbridge_denied:Body )).

%   The environment is empty. (The system asks for it when it looks for libraries.)
known_getenv(_, _) :- fail.

known_expand_file_name(Pattern, [Pattern]).

known_open(File, Mode, Stream) :- known_open(File, Mode, Stream, []).

known_open(File, Mode, Stream, Options) :-
    (   Mode == read,
        name_of(File, Name),
        given(Name, Text)
    ->  open_string(Text, Stream),
        set_stream(Stream, file_name(Name)),
        forall(member(alias(Alias), Options), set_stream(Stream, alias(Alias)))
    ;   throw(error(permission_error(open, source_sink, File), _))
    ).

known_exists_file(File) :- name_of(File, Name), known(Name, _), !.

known_exists_directory(_) :- fail.

known_access_file(File, Mode) :-
    memberchk(Mode, [none, read, exist]),
    known_exists_file(File).

known_time_file(File, Time) :-
    (   name_of(File, Name),
        known(Name, Time0)
    ->  Time = Time0
    ;   throw(error(permission_error(time, file, File), _))
    ).

known_same_file(File, File).

known(Name, Time) :- loaded(Name, Time).
known(Name, 1.0) :- given(Name, _).          % 0.0 is the time of what is not loaded

name_of(File, Name) :-
    catch(atom_string(Name0, File), _, fail),
    absolute_file_name(Name0, Name).

                 /*******************************
                 *             FLAGS            *
                 *******************************/

%   Not taken away but looked after: these are needed for tabling and by programs. The predicates that could look behind
%   the guard are gone. (And libraries tell what they export without being read again.)
guard :-
    wrap_predicate('$autoload':library_info_from_file(File, Module, Exports), lpbridge_denied, _,
                   ( '$current_module'(Module, File), '$module_property'(Module, exports(Exports)) )),
    wrap_predicate(system:set_prolog_flag(Flag, _), lpbridge_denied, Set,
                   ( lpbridge_denied:flag(Flag) -> Set
                   ; throw(error(permission_error(modify, flag, Flag), _))
                   )),
    wrap_predicate(system:create_prolog_flag(Flag1, _, _), lpbridge_denied, Create,
                   ( \+ current_prolog_flag(Flag1, _) -> Create
                   ; throw(error(permission_error(modify, flag, Flag1), _))
                   )),
    wrap_predicate(system:'$wrapped_implementation'(Goal, _, _), lpbridge_denied, Implementation,
                   ( lpbridge_denied:own(Goal) -> Implementation
                   ; throw(error(permission_error(access, predicate, Goal), _))
                   )),
    wrap_predicate(system:'$c_wrap_predicate'(Head, _, _, _, _), lpbridge_denied, Wrap,
                   ( lpbridge_denied:own(Head) -> Wrap
                   ; throw(error(permission_error(wrap, predicate, Head), _))
                   )).

%   A predicate of a program, and not of the system or a library.
own(Head) :-
    strip_module(Head, Module, Plain),
    atom(Module),
    callable(Plain),
    \+ predicate_property(Module:Plain, imported_from(_)),
    \+ system_module(Module).

system_module(system).
system_module(user).
system_module(Module) :- module_property(Module, class(Class)), memberchk(Class, [system, library]).
system_module(Module) :- module_property(Module, file(File)), loaded(File, _).

%   A flag that programs, the compiler or the bridge change.
flag(Flag) :-
    atom(Flag),
    memberchk(Flag,
              [ answer_write_options, autoload, back_quotes, character_escapes, clpb_residuals, clpfd_monotonic,
                double_quotes, emulated_dialect, float_overflow, float_rounding, float_undefined, float_underflow,
                float_zero_div, generate_debug_info, max_answers_for_subgoal, max_answers_for_subgoal_action,
                max_rational_size, max_rational_size_action, max_table_answer_size, max_table_answer_size_action,
                max_table_subgoal_size, max_table_subgoal_size_action, occurs_check, optimise, prefer_rationals,
                rational_syntax, sandboxed_load, stack_limit, toplevel_list_wfs_residual_program, unknown, var_prefix,
                verbose_load, warn_autoload, write_attributes, xref
              ]).

                 /*******************************
                 *             LISTS            *
                 *******************************/

%!  denied(?PI) is nondet.
%
%   Predicates whose name begins with `$`, and which reach out, or into the memory of the process.

denied(PI) :- reaching(_, PIs), member(PI, PIs).

reaching("states and files compiled before", [
    '$add_directive_wic'/1, '$close_wic'/0, '$import_wic'/3, '$open_wic'/2, '$qlf_assert_clause'/2,
    '$qlf_close'/0, '$qlf_end_part'/0, '$qlf_include'/5, '$qlf_is_compatible'/1, '$qlf_load'/2, '$qlf_open'/1,
    '$qlf_sources'/2, '$qlf_start_file'/1, '$qlf_start_module'/1, '$qlf_start_sub_module'/1, '$qlf_versions'/6,
    '$rc_handle'/1
]).
reaching("files and folders", [
    '$chdir'/1, '$mark_executable'/1, '$my_file'/1, '$tmp_file_stream'/4
]).
reaching("processes, threads, signals", [
    '$open_xterm'/5, '$engine_create'/3, '$on_signal'/4, '$thread_sigwait'/1, '$gc_stop'/0, '$gc_wait'/1,
    '$trap_gdb'/0
]).
reaching("the system itself", [
    '$cmd_option_set'/2, '$predefine_foreign'/1, '$wrapped_predicate'/2
]).
reaching("instructions of the virtual machine", [
    '$break_at'/3, '$break_pc'/3, '$fetch_vm'/4, '$vm_assert'/3, '$vmi_property'/2, '$xr_member'/2, '$map_id'/2,
    '$unmap_id'/1
]).

%   Foreign predicates with an ordinary name that stay.
kept([
    abolish/1, abolish/2, abort/0, acyclic_term/1, add_import_module/3, arg/3, assert/1, assert/2, asserta/1,
    asserta/2, assertz/1, assertz/2, at_end_of_stream/0, at_end_of_stream/1, atom/1, atom_chars/2, atom_codes/2,
    atom_concat/3, atom_length/2, atom_number/2, atom_string/2, atom_to_term/3, atomic/1, atomic_concat/3,
    atomic_list_concat/2, atomic_list_concat/3, atomics_to_string/2, atomics_to_string/3, attvar/1, b_getval/2,
    b_set_dict/3, b_setval/2, between/3, blob/2, bounded_number/3, byte_count/2, callable/1, char_code/2,
    char_conversion/2, char_type/2, character_count/2, clause/2, clause/3, close/1, close/2, code_type/2,
    collation_key/2, compare/3, compound/1, compound_name_arguments/3, compound_name_arity/3, context_module/1,
    copy_stream_data/2, copy_stream_data/3, copy_term/2, copy_term/4, copy_term_nat/2, copy_term_nat/4,
    create_prolog_flag/3, current_arithmetic_function/1, current_atom/1, current_char_conversion/2, current_flag/1,
    current_format_predicate/2, current_functor/2, current_input/1, current_key/1, current_locale/1, current_op/3,
    current_output/1, current_predicate/1, current_prolog_flag/2, current_transaction/1, cyclic_term/1,
    date_time_stamp/2, del_attr/2, del_attrs/1, del_dict/4, delete_import_module/2, deterministic/1, dict_create/3,
    dict_pairs/3, divmod/4, downcase_atom/2, duplicate_term/2, dwim_match/3, erase/1, export/1, fail/0,
    file_base_name/2, file_directory_name/2, file_name_extension/3, fill_buffer/1, float/1, float_class/2,
    float_parts/4, flush_output/0, flush_output/1, format/2, format/3, format_predicate/2, format_time/3,
    format_time/4, functor/3, functor/4, garbage_collect_atoms/0, garbage_collect_clauses/0, get/1, get/2, get0/1,
    get0/2, get_attr/3, get_attrs/2, get_byte/1, get_byte/2, get_char/1, get_char/2, get_code/1, get_code/2,
    get_dict/3, get_dict/5, get_flag/2, get_string_code/3, get_time/1, ground/1, halt/1, import/1, import_module/2,
    instance/2, integer/1, (is)/2, is_absolute_file_name/1, is_dict/1, is_dict/2, is_list/1, is_message_queue/1,
    is_most_general_term/1, is_stream/1, is_thread/1, is_trie/1, keysort/2, line_count/2, line_position/2,
    locale_property/2, message_queue_create/1, message_queue_create/2, message_queue_destroy/1,
    message_queue_property/2, message_queue_set/2, (meta_predicate)/1, msort/2, mutex_create/1, mutex_create/2,
    mutex_destroy/1, mutex_lock/1, mutex_property/2, mutex_trylock/1, mutex_unlock/1, mutex_unlock_all/0, name/2,
    nb_current/2, nb_delete/1, nb_getval/2, nb_link_dict/3, nb_linkarg/3, nb_linkval/2, nb_set_dict/3, nb_setarg/3,
    nl/0, nl/1, nonground/2, nonvar/1, normalize_space/2, notrace/0, nth_clause/3, nth_integer_root_and_remainder/4,
    number/1, number_chars/2, number_codes/2, number_string/2, numbervars/4, op/3, open_null_stream/1, open_string/2,
    peek_byte/1, peek_byte/2, peek_char/1, peek_char/2, peek_code/1, peek_code/2, peek_string/3, plus/3, print/1,
    print/2, prolog_choice_attribute/3, prolog_current_choice/1, prolog_current_frame/1, prolog_frame_attribute/3,
    prompt/2, prompt1/1, put/1, put/2, put_attr/3, put_attrs/2, put_byte/1, put_byte/2, put_char/1, put_char/2,
    put_code/1, put_code/2, put_dict/3, put_dict/4, random_property/1, rational/1, rational/3, read/1, read/2,
    read_clause/3, read_pending_chars/3, read_pending_codes/3, read_string/3, read_string/5, read_term/2,
    read_term/3, read_term_from_atom/3, recorda/2, recorda/3, recorded/2, recorded/3, recordz/2, recordz/3, repeat/0,
    retract/1, retractall/1, same_term/2, seek/4, select_dict/3, set_flag/2, set_input/1, set_module/1, set_output/1,
    set_prolog_flag/2, set_random/1, set_stream/2, set_stream_position/2, setarg/3, sig_atomic/1,
    size_abstract_term/3, skip/1, skip/2, sleep/1, sort/2, sort/4, source_location/2, split_string/4,
    stamp_date_time/3, statistics/2, stream_pair/3, string/1, string_bytes/3, string_chars/2, string_code/3,
    string_codes/2, string_concat/3, string_length/2, string_lower/2, string_upper/2, strip_module/3, sub_atom/5,
    sub_atom_icasechk/3, sub_string/5, subsumes_term/2, succ/2, tab/1, tab/2, term_attvars/2, term_hash/2,
    term_hash/4, term_singletons/2, term_string/2, term_to_atom/2, term_variables/2, term_variables/3,
    text_to_string/2, thread_get_message/1, thread_get_message/2, thread_get_message/3, thread_peek_message/1,
    thread_peek_message/2, thread_property/2, thread_self/1, thread_send_message/2, thread_send_message/3,
    thread_signal/2, thread_statistics/3, throw/1, transaction_updates/1, trie_delete/3, trie_destroy/1, trie_gen/2,
    trie_gen/3, trie_insert/2, trie_insert/3, trie_insert/4, trie_lookup/3, trie_new/1, trie_term/2, trie_update/3,
    trim_heap/0, trim_stacks/0, true/0, unifiable/3, unify_with_occurs_check/2, upcase_atom/2, var/1, var_number/2,
    variant_hash/2, variant_sha1/2, wildcard_match/2, wildcard_match/3, with_mutex/2, with_output_to/2, write/1,
    write/2, write_canonical/1, write_canonical/2, write_length/3, write_term/2, write_term/3, writeln/1, writeln/2,
    writeq/1, writeq/2
]).
