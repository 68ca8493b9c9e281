"""Why a program is slow or large, and what to change."""
