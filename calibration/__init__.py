"""Finding the board in a picture: lens, pose, grid; knows images and geometry but no rules."""
