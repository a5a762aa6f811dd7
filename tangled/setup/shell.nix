{ pkgs ? import <nixpkgs> { config.allowUnfree = true; }, cuda ? false }:
pkgs.mkShell {
  packages = with pkgs; [
    git gnumake gcc perl noweb pandoc html-tidy clang openblas fftw fftwFloat zlib
  ] ++ pkgs.lib.optional cuda cudaPackages.cudatoolkit;
  # libcuda.so comes with the driver, and NixOS links the driver that runs here
  shellHook = pkgs.lib.optionalString cuda ''
    export LD_LIBRARY_PATH=/run/opengl-driver/lib
  '';
}
