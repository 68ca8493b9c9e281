"""Problems: rules that have names and facts that are given, put to a solver as questions."""
