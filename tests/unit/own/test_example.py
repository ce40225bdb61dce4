"""The worked example's files are those that their generator writes."""

import importlib.util


def test_the_generator_writes_every_file_anew_byte_for_byte(request, tmp_path, monkeypatch):
    folder = request.config.rootpath / "resources/own"
    spec = importlib.util.spec_from_file_location("generate", folder / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    monkeypatch.setattr(generate, "FOLDER", tmp_path)
    generate.main()

    def files(root):
        return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}

    written = files(tmp_path)
    assert written == files(folder / "example")
    assert len(written) == 29
