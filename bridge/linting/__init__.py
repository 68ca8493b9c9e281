"""What is probably wrong in a program, found without an answer that is expected."""
