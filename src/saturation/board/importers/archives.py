"""Members of a zip archive, which may be compressed in ways that Python does not know."""

import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa

from saturation.board.importers import streams
from saturation.errors import InputError

ZSTD = 93
LARGEST_MEMBER = 256 * 2**20
_LOCAL_HEADER = struct.Struct("<4s5H3I2H")


class Archive:
    """JSON files in a zip archive.

    Parameters
    ----------
    path
        The archive.

    Raises
    ------
    InputError
        If it is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with zipfile.ZipFile(path) as opened:
                self._members = {info.filename: info for info in opened.infolist()}
        except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
            raise InputError(
                f"{path}: the zip archive is cut off or damaged ({error}); copy it again"
            ) from None

    @property
    def names(self) -> list[str]:
        """Names of the files in it, in its order."""
        return list(self._members)

    def json(self, name: str) -> Any:
        """Parsed content of a file in it.

        Raises
        ------
        InputError
            If the file is too large, damaged or not JSON.
        """
        where = f"{self.path}, {name} in it"
        size = self._members[name].file_size
        if size > LARGEST_MEMBER:
            raise InputError(
                f"{where}: unpacks to {size / 2**20:.0f} MiB; allowed: "
                f"{LARGEST_MEMBER / 2**20:g} MiB"
            )
        try:
            text = self._bytes(name).decode("utf-8-sig")
        except (
            zipfile.BadZipFile,
            zlib.error,
            OSError,
            ValueError,
            struct.error,
            EOFError,
        ) as error:
            raise InputError(f"{where}: damaged ({error}); copy the archive again") from None
        except (NotImplementedError, RuntimeError) as error:
            raise InputError(f"{where}: {error}; write the log again without it") from None
        return streams.document(text, where)

    def _bytes(self, name: str) -> bytes:
        info = self._members[name]
        if info.compress_type != ZSTD:
            with zipfile.ZipFile(self.path) as opened:
                return opened.read(name)
        with self.path.open("rb") as stream:
            stream.seek(info.header_offset)
            *_, name_length, extra_length = _LOCAL_HEADER.unpack(stream.read(_LOCAL_HEADER.size))
            stream.seek(name_length + extra_length, 1)
            packed = stream.read(info.compress_size)
        unpacked: bytes = pa.Codec("zstd").decompress(packed, info.file_size, asbytes=True)
        if zlib.crc32(unpacked) != info.CRC:
            raise ValueError("its checksum does not fit")
        return unpacked
