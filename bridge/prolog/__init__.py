"""SWI-Prolog for any program: sessions, queries, answers with residual constraints.

from bridge import prolog
with prolog.Session("rooms.pl") as session:
    for answer in session.query("rooms(X, Y)"):
        print(answer)
"""

from bridge.prolog.answer import Answer, Truth
from bridge.prolog.message import Message
from bridge.prolog.session import Session
from bridge.prolog.terms import Atom, Blob, Dict, Domain, String, Term, Variable

__all__ = ["Answer", "Atom", "Blob", "Dict", "Domain", "Message", "Session", "String", "Term", "Truth", "Variable"]
