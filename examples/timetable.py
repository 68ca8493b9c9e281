"""A school day, planned by two solvers: clingo says what is taught when, SWI-Prolog which rooms that leaves open.

    python examples/timetable.py

Words: a course has a teacher and a number of pupils; it takes place in an hour and in a room. The hours are a question
of whole plans, so clingo is asked: how many are there, what do all of them have in common, which requests clash? The
rooms are a question of what is still possible, so clpfd propagates, and the answer is what it leaves open, not one plan
out of many. What is printed stands at the end; a test compares.
"""

from bridge import asp, prolog

COURSES = {  # teacher, pupils
    "algebra": ("ada", 28), "logic": ("kurt", 12), "optics": ("emmy", 25), "poetry": ("ada", 9), "sets": ("emmy", 14),
}  # fmt: skip
SAME_PUPILS = [("algebra", "logic"), ("logic", "optics")]
ROOMS = [(101, 10), (102, 15), (103, 15), (104, 30), (105, 30)]  # number, seats

HOURS = """
% Each course takes place in one hour. A teacher teaches one course at a time, and a pupil takes one.
{ at(Course, 1..2) } = 1 :- course(Course, _, _).
:- at(C, H), at(C', H), C < C', course(C, Teacher, _), course(C', Teacher, _).
:- at(C, H), at(C', H), same_pupils(C, C').
#show at/2.
"""

PLAN = """
:- use_module(library(clpfd)).

% Each course of an hour has a room of its own, with seats enough, and not more than twice as many.
plan(Pupils, Rooms) :- maplist(fits, Pupils, Rooms), all_distinct(Rooms).

fits(Pupils, Room) :-
    findall([Number, Seats], room(Number, Seats), Known),
    tuples_in([[Room, Seats]], Known),
    Seats #>= Pupils,
    Seats #=< 2 * Pupils.
"""


def main() -> None:
    with asp.Program(HOURS) as hours:
        hours.add_facts("course", [(name, *rest) for name, rest in COURSES.items()])
        hours.add_facts("same_pupils", SAME_PUPILS)
        print(f"{hours.count().number} plans")

        early = ['at("logic",1)']
        certain = hours.cautious(assuming=early).solutions[0]["at"]
        print("with logic in hour 1, in every plan:")
        for course, hour in sorted(certain):
            print(f"  {course} in {hour}")
        requests = hours.solve(assuming=[*early, 'at("sets",1)', 'at("poetry",2)'])
        print("requests that clash:", *sorted(requests.core), sep="\n  ")
        (day,) = (model["at"] for model in hours.models(assuming=early))

    seats = "".join(f"room({number}, {seats}).\n" for number, seats in ROOMS)
    with prolog.Session(PLAN + seats) as rooms:
        for hour in (1, 2):
            here = sorted(course for course, when in day if when == hour)
            answer = rooms.first("plan(Pupils, Rooms)", Pupils=[COURSES[course][1] for course in here])
            assert answer is not None, f"there are too few rooms in hour {hour}"
            print(f"rooms in hour {hour}:")
            for course, room in zip(here, answer["Rooms"], strict=True):
                print(f"  {course}: {room.domain if isinstance(room, prolog.Variable) else room}")
            print("  held by", ", ".join(map(str, answer.residual)))


if __name__ == "__main__":
    main()


# It prints:
#
#     2 plans
#     with logic in hour 1, in every plan:
#       algebra in 2
#       logic in 1
#       optics in 2
#       poetry in 1
#       sets in 1
#     requests that clash:
#       at("logic",1)
#       at("poetry",2)
#     rooms in hour 1:
#       logic: 102..103
#       poetry: 101
#       sets: 102..103
#       held by _A in 102..103, all_distinct([_A, 101, _B]), _B in 102..103
#     rooms in hour 2:
#       algebra: 104..105
#       optics: 104..105
#       held by _A in 104..105, all_distinct([_A, _B]), _B in 104..105
