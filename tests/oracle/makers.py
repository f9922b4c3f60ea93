"""All makers of ops."""
import makers_control  # noqa: F401
import makers_index  # noqa: F401
import makers_mixed  # noqa: F401
import makers_reduce  # noqa: F401
import makers_sdy  # noqa: F401
import makers_tensor  # noqa: F401
import makers_window  # noqa: F401
