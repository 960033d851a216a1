//! Draws a round for people.
