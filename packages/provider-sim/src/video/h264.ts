import { createBitWriter, type BitWriter } from './bits.ts'
import { BLOCK, QP, writeBlock, type Mosaic } from './block.ts'

/** The image's size in pixels. The mosaic can be larger: the rest is cut off. */
export interface FrameSize {
  readonly width: number
  readonly height: number
}

/** The profile and level of every stream here: constrained baseline, 4.2. */
export const PROFILE = Uint8Array.of(66, 0xc0, 42)

/** The sequence parameter set: the size, and colors by BT.709. */
export function encodeSequence({ width, height }: FrameSize): Uint8Array {
  const columns = Math.ceil(width / BLOCK)
  const rows = Math.ceil(height / BLOCK)
  const writer = createBitWriter()
  for (const byte of PROFILE) writer.bits(byte, 8)
  writer.unsigned(0) // its id
  writer.unsigned(FRAME_BITS - 4)
  writer.unsigned(2) // images are shown in the order in which they are coded
  writer.unsigned(1) // one reference image
  writer.bits(0, 1)
  writer.unsigned(columns - 1)
  writer.unsigned(rows - 1)
  writer.bits(0b11, 2) // frames, not fields
  writer.bits(1, 1)
  // Chroma has half the resolution, so that the crop is counted in twos.
  for (const crop of [0, (columns * BLOCK - width) / 2, 0, (rows * BLOCK - height) / 2]) writer.unsigned(crop)
  writer.code('1001') // more about the video follows: no aspect ratio, no overscan, but its colors
  writer.code('10101') // of no known source, limited range, with a description
  for (let fact = 0; fact < 3; fact++) writer.bits(1, 8) // primaries, transfer and matrix of BT.709
  writer.code('0000011') // no times; limits for the decoder
  for (const limit of [0, 0, 0, 0, 0, 1]) writer.unsigned(limit) // the last two: images are never reordered, one is kept
  return packet(SEQUENCE, writer.end())
}

/** The image parameter set. */
export function encodeParameters(): Uint8Array {
  const writer = createBitWriter()
  for (const value of [0, 0]) writer.unsigned(value)
  writer.code('00') // variable-length codes
  for (const value of [0, 0, 0]) writer.unsigned(value)
  writer.code('000')
  writer.signed(QP - 26)
  writer.signed(0)
  writer.signed(0)
  writer.code('100') // slices say that edges are not smoothed
  return packet(PARAMETERS, writer.end())
}

/** Encodes frames one after another. */
export interface FrameEncoder {
  /** A frame that needs no other: every block is coded. */
  key(mosaic: Mosaic): Uint8Array
  /** A frame of which only the blocks are coded that differ from the frame before. */
  change(mosaic: Mosaic): Uint8Array
}

export function createFrameEncoder(): FrameEncoder {
  let before: Mosaic | undefined
  /** The colors as a decoder has them. */
  let shown = new Uint8Array(0)
  let number = 0
  return {
    key(mosaic) {
      shown = new Uint8Array(mosaic.colors.length)
      before = mosaic
      number = 0
      const writer = createBitWriter()
      beginSlice(writer, KEY_SLICE, number)
      writer.unsigned(0) // the id of the key frame; two of them never follow each other
      writer.code('00')
      endHead(writer)
      for (let block = 0; block < mosaic.columns * mosaic.rows; block++) writeBlock(writer, mosaic, block, shown, 0)
      return packet(KEY_FRAME, writer.end())
    },
    change(mosaic) {
      number++
      const writer = createBitWriter()
      beginSlice(writer, CHANGE_SLICE, number)
      writer.code('000')
      endHead(writer)
      let skipped = 0
      for (let block = 0; block < mosaic.columns * mosaic.rows; block++) {
        if (before !== undefined && isSame(mosaic, before, block)) {
          skipped++
          continue
        }
        writer.unsigned(skipped)
        skipped = 0
        writeBlock(writer, mosaic, block, shown, TYPES_BEFORE_INTRA)
      }
      if (skipped > 0) writer.unsigned(skipped)
      before = mosaic
      return packet(CHANGE, writer.end())
    },
  }
}

/** The most frames from one key frame to the next. */
export const MOST_FRAMES = 256
const FRAME_BITS = 8

const KEY_SLICE = 7
const CHANGE_SLICE = 5
const TYPES_BEFORE_INTRA = 5

// The first byte of a packet: its type, and that others refer to it.
const SEQUENCE = 0x67
const PARAMETERS = 0x68
const KEY_FRAME = 0x65
const CHANGE = 0x61

function beginSlice(writer: BitWriter, type: number, number: number): void {
  for (const value of [0, type, 0]) writer.unsigned(value)
  writer.bits(number, FRAME_BITS)
}

function endHead(writer: BitWriter): void {
  writer.signed(0) // the quantiser of the image parameters
  writer.unsigned(1) // edges are not smoothed, so that a block keeps its one color
}

function isSame({ colors }: Mosaic, before: Mosaic, block: number): boolean {
  const at = block * 3
  return (
    colors[at] === before.colors[at] &&
    colors[at + 1] === before.colors[at + 1] &&
    colors[at + 2] === before.colors[at + 2]
  )
}

/** Adds a 3 after two zeros where a decoder could take the bytes for the start of a packet. */
function packet(head: number, payload: Uint8Array): Uint8Array {
  const bytes = [head]
  let zeros = 0
  for (const byte of payload) {
    if (zeros === 2 && byte <= 3) {
      bytes.push(3)
      zeros = 0
    }
    zeros = byte === 0 ? zeros + 1 : 0
    bytes.push(byte)
  }
  return Uint8Array.from(bytes)
}
