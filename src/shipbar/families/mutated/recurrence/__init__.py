"""Recurrence expressions: when a timetable written in fields fires."""
