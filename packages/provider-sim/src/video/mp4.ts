import { box, fullBox, joinPieces, short } from './boxes.ts'

/** One track of a file. All its samples have the same duration. */
export interface Track {
  readonly kind: 'video' | 'sound'
  /** What decoders need to know: the entry of the box `stsd`. */
  readonly entry: Uint8Array
  /** Units of time in a second. */
  readonly timescale: number
  /** The duration of a sample, in these units. */
  readonly step: number
  readonly samples: readonly Uint8Array[]
  /** The samples that need no other, counted from 0; by default all. */
  readonly keys?: readonly number[]
  readonly width?: number
  readonly height?: number
}

/** The units of the whole file: milliseconds. */
const MOVIE_TIMESCALE = 1000
const MATRIX = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]

/** An MP4 file. Its index comes first, and the tracks alternate by the second, so that it can be played while it arrives. */
export function encodeMp4(tracks: readonly Track[]): Uint8Array<ArrayBuffer> {
  const layout = layOut(tracks)
  const type = box('ftyp', 'isom', 0x200, 'isomiso2avc1mp41')
  // The index has the same length wherever the data is.
  const start = type.length + movie(tracks, layout, 0).length + 8
  return joinPieces([type, movie(tracks, layout, start), box('mdat', ...layout.pieces)])
}

/** Samples that follow each other in the file. */
interface Chunk {
  readonly track: Track
  readonly samples: number
  /** From the start of the data. */
  readonly offset: number
}

interface Layout {
  readonly chunks: readonly Chunk[]
  readonly pieces: readonly Uint8Array[]
}

function layOut(tracks: readonly Track[]): Layout {
  const chunks: Chunk[] = []
  const pieces: Uint8Array[] = []
  let offset = 0
  const seconds = Math.max(...tracks.map(secondsOf))
  for (let second = 0; second < seconds; second++) {
    for (const track of tracks) {
      const at = (time: number): number => Math.ceil((time * track.timescale) / track.step)
      const samples = track.samples.slice(at(second), at(second + 1))
      if (samples.length === 0) continue
      chunks.push({ track, samples: samples.length, offset })
      pieces.push(...samples)
      offset += samples.reduce((sum, { length }) => sum + length, 0)
    }
  }
  return { chunks, pieces }
}

function secondsOf({ samples, step, timescale }: Track): number {
  return (samples.length * step) / timescale
}

function movie(tracks: readonly Track[], { chunks }: Layout, start: number): Uint8Array {
  const duration = Math.max(...tracks.map(milliseconds))
  const rest = [0x10000, 0x1000000, 0, 0, ...MATRIX, 0, 0, 0, 0, 0, 0, tracks.length + 1]
  const header = fullBox('mvhd', 0, [0, 0, MOVIE_TIMESCALE, duration, ...rest])
  return box('moov', header, ...tracks.map((track, index) => trackBox(track, index + 1, chunks, start)))
}

function milliseconds(track: Track): number {
  return Math.round(secondsOf(track) * MOVIE_TIMESCALE)
}

const ENABLED = 3

function trackBox(track: Track, id: number, chunks: readonly Chunk[], start: number): Uint8Array {
  const { kind, timescale, step, samples, width = 0, height = 0 } = track
  const volume = kind === 'sound' ? 0x1000000 : 0
  const size = [width << 16, height << 16]
  const header = [0, 0, id, 0, milliseconds(track), 0, 0, 0, volume, ...MATRIX, ...size]
  const undetermined = 0x55c40000 // the language "und"
  const own = chunks.filter((chunk) => chunk.track === track)
  return box(
    'trak',
    fullBox('tkhd', ENABLED, header),
    box(
      'mdia',
      fullBox('mdhd', 0, [0, 0, timescale, samples.length * step, undetermined]),
      fullBox('hdlr', 0, 0, kind === 'video' ? 'vide' : 'soun', [0, 0, 0], 'dragoman\0'),
      box(
        'minf',
        kind === 'video' ? fullBox('vmhd', 1, [0, 0]) : fullBox('smhd', 0, 0),
        box('dinf', fullBox('dref', 0, 1, fullBox('url ', 1))),
        sampleTable(track, own, start),
      ),
    ),
  )
}

function sampleTable({ entry, step, samples, keys }: Track, chunks: readonly Chunk[], start: number): Uint8Array {
  const keyBox = keys === undefined ? [] : [fullBox('stss', 0, keys.length, keys.map((key) => key + 1))] // prettier-ignore
  return box(
    'stbl',
    fullBox('stsd', 0, 1, entry),
    fullBox('stts', 0, 1, samples.length, step),
    ...keyBox,
    fullBox('stsc', 0, chunks.length, chunks.flatMap((chunk, index) => [index + 1, chunk.samples, 1])), // prettier-ignore
    fullBox('stsz', 0, 0, samples.length, samples.map(({ length }) => length)), // prettier-ignore
    fullBox('stco', 0, chunks.length, chunks.map(({ offset }) => start + offset)), // prettier-ignore
  )
}

/** The entry of an H.264 track, with its parameter sets. */
export function videoEntry(
  size: { width: number; height: number },
  sequence: Uint8Array,
  parameters: Uint8Array,
): Uint8Array {
  const set = (bytes: Uint8Array): Uint8Array => joinPieces([short(bytes.length), bytes])
  const profile = sequence.subarray(1, 4)
  const configuration = box(
    'avcC',
    joinPieces([
      Uint8Array.of(1),
      profile,
      Uint8Array.of(0xff, 0xe1),
      set(sequence),
      Uint8Array.of(1),
      set(parameters),
    ]),
  )
  const resolution = 0x480000 // 72 dots per inch
  return box(
    'avc1',
    [0, 1, 0, 0, 0, 0],
    short(size.width),
    short(size.height),
    [resolution, resolution, 0],
    short(1),
    new Uint8Array(32), // the name of the encoder
    short(24),
    short(0xffff),
    configuration,
  )
}

/** The entry of an AAC track. */
export function soundEntry(rate: number, configuration: Uint8Array): Uint8Array {
  const descriptor = (tag: number, ...pieces: readonly Uint8Array[]): Uint8Array => {
    const contents = joinPieces(pieces)
    return joinPieces([Uint8Array.of(tag, contents.length), contents])
  }
  const decoder = descriptor(4, Uint8Array.of(0x40, 0x15, 0, 0, 0), new Uint8Array(8), descriptor(5, configuration))
  const stream = descriptor(3, Uint8Array.of(0, 0, 0), decoder, descriptor(6, Uint8Array.of(2)))
  return box('mp4a', [0, 1, 0, 0], short(1), short(16), 0, short(rate), short(0), fullBox('esds', 0, stream))
}
