"""Finding secrets in text and values, and hiding them, before anything is stored, shown or sent."""
