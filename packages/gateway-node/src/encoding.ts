import zlib from 'node:zlib'

/** Content encodings that can be taken off. */
export type Encoding = 'gzip' | 'deflate' | 'br'

export function isKnownEncoding(encoding: string): encoding is Encoding | 'identity' {
  return encoding === 'identity' || encoding in UNPACK_OF
}

const UNPACK_OF: Record<Encoding, typeof zlib.gunzip> = {
  gzip: zlib.gunzip,
  deflate: zlib.inflate,
  br: zlib.brotliDecompress,
}

/** Unpacks a whole body; one that grows beyond the limit is given up before it is in memory. */
export function unpack(
  encoding: Encoding,
  packed: Uint8Array,
  limit: number,
  done: (result: Uint8Array | 'too-large' | 'malformed') => void,
): void {
  UNPACK_OF[encoding](packed, { maxOutputLength: limit }, (error, body) => {
    if (error === null) done(body)
    else done('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'malformed')
  })
}

/** Unpacks an answer on its way: each chunk is given on as soon as it can be. */
export function createUnpacker(encoding: Encoding): zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress {
  switch (encoding) {
    case 'gzip':
      return zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH })
    case 'deflate':
      return zlib.createInflate({ flush: zlib.constants.Z_SYNC_FLUSH })
    case 'br':
      return zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH })
    default:
      return encoding satisfies never
  }
}
