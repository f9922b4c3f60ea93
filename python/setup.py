"""A wheel with libshardrun_pjrt.so in it is for one platform and any Python; without it, for all."""
import pathlib

from setuptools import Distribution, setup

native = any(pathlib.Path(__file__).parent.joinpath("shardrun", "lib").glob("*.so"))
commands = {}
if native:
    try:
        from setuptools.command.bdist_wheel import bdist_wheel
    except ImportError:  # setuptools before 70
        from wheel.bdist_wheel import bdist_wheel

    class PlatformWheel(bdist_wheel):
        def get_tag(self):
            return "py3", "none", super().get_tag()[2]

    commands["bdist_wheel"] = PlatformWheel


class NativeDistribution(Distribution):
    def has_ext_modules(self):
        return native


setup(distclass=NativeDistribution, cmdclass=commands)
