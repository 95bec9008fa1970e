# The base images are named by the digest of their index, which dependabot raises. They are
# arguments, so that the image can be built where no registry is reached: scripts/image
# builds it on a local base.
ARG BUILD_IMAGE=golang:1.26-bookworm@sha256:b305420a68d0f229d91eb3b3ed9e519fcf2cf5461da4bef997bf927e8c0bfd2b
ARG RUN_IMAGE=debian:bookworm-slim@sha256:96e378d7e6531ac9a15ad505478fcc2e69f371b10f5cdf87857c4b8188404716

FROM ${BUILD_IMAGE} AS build
WORKDIR /src
COPY . .
ARG VERSION=dev
RUN mkdir -p /out && \
    LDFLAGS="-s -w -X github.com/carryover-go/carryover/modules/daemon/version.Version=${VERSION}" && \
    go build -trimpath -tags nomsgpack -ldflags "$LDFLAGS" -o /out/carryover ./cmd/carryover && \
    go build -trimpath -tags nomsgpack -ldflags "$LDFLAGS" -o /out/carryoverd ./cmd/carryoverd && \
    CGO_ENABLED=0 go build -trimpath -tags nomsgpack -ldflags "$LDFLAGS" -o /out/carryover-hook ./cmd/carryover-hook

FROM ${RUN_IMAGE}
RUN useradd --create-home --uid 10001 carryover && install -d -m 0700 -o carryover -g carryover /home/carryover/.carryover
COPY --from=build /out/ /usr/local/bin/
USER carryover
WORKDIR /home/carryover
# The ledger, the settings and the token outlive the container here.
VOLUME ["/home/carryover/.carryover"]
# Of a container that runs the daemon (--entrypoint carryoverd).
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["sh", "-c", "carryover daemon status || exit 1"]
ENTRYPOINT ["carryover"]
CMD ["status"]
