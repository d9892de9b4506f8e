import zlib from 'node:zlib'

/** The supported content encodings; zstd only if Node has it. */
export type Encoding = 'gzip' | 'deflate' | 'br' | 'zstd'

export function isKnownEncoding(encoding: string): encoding is Encoding | 'identity' {
  return encoding === 'identity' || Object.hasOwn(UNPACK_OF, encoding)
}

/** Since Node 22.15; the types declare it for all versions. */
const { zstdDecompress }: { readonly zstdDecompress?: typeof zlib.zstdDecompress } = zlib

type Unpack = (
  packed: Uint8Array,
  options: { readonly maxOutputLength: number },
  done: (error: Error | null, body: Uint8Array) => void,
) => void

const UNPACK_OF: Partial<Record<Encoding, Unpack>> = {
  gzip: zlib.gunzip,
  deflate: zlib.inflate,
  br: zlib.brotliDecompress,
  ...(zstdDecompress === undefined ? {} : { zstd: zstdDecompress }),
}

/** Unpacks a whole body. Stops as soon as the result is larger than the limit. */
export function unpack(
  encoding: Encoding,
  packed: Uint8Array,
  limit: number,
  done: (result: Uint8Array | 'too-large' | 'malformed') => void,
): void {
  UNPACK_OF[encoding]?.(packed, { maxOutputLength: limit }, (error, body) => {
    if (error === null) done(body)
    else done('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'malformed')
  })
}

/** Unpacks an answer while it arrives: each chunk is passed on as early as possible. */
export function createUnpacker(
  encoding: Encoding,
): zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress | zlib.ZstdDecompress {
  switch (encoding) {
    case 'gzip':
      return zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH })
    case 'deflate':
      return zlib.createInflate({ flush: zlib.constants.Z_SYNC_FLUSH })
    case 'br':
      return zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH })
    case 'zstd':
      return zlib.createZstdDecompress({ flush: zlib.constants.ZSTD_e_flush })
    default:
      return encoding satisfies never
  }
}
