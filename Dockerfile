# The base images are arguments, so that the image can be built where no
# registry is reached: scripts/image builds it on a local base.
ARG BUILD_IMAGE=golang:1.26-bookworm
ARG RUN_IMAGE=debian:bookworm-slim

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
RUN useradd --create-home --uid 10001 carryover
COPY --from=build /out/ /usr/local/bin/
USER carryover
WORKDIR /home/carryover
ENTRYPOINT ["carryover"]
CMD ["status"]
