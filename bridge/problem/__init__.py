"""Problems: named rules and given facts, put to a solver as questions (`bridge.problem.questions`)."""
