"""A varied picture source of our own: boards, games and videos drawn with numpy and OpenCV, with their truth.

The pictures are drawn from a height map by marching the camera's rays over it, so that perspective, parallax of the
piece tops, lens distortion and shadows are exact; materials, light and sensor are approximations that vary widely.
Everything follows from a seed. Nothing of the program but `calibration.pose.GridPose` is used, so that the truth does
not depend on what is tested with it.
"""
