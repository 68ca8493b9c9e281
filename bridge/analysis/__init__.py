"""What people ask of a problem, a module each: check it, diagnose it, explain it, count its solutions, ..."""
