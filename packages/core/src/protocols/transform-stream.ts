import type { Emit } from '../ir/stream.ts'
import type { AnswerStream } from './answer-stream.ts'

/**
 * A web stream around an answer's machine, for those who do not own their I/O:
 * `upstream.body.pipeThrough(transformStream((write) => translation.answerStream(write)))`.
 */
export function transformStream(
  create: (write: Emit<string>) => AnswerStream,
): TransformStream<Uint8Array, Uint8Array> {
  const encoder = new TextEncoder()
  let text = ''
  const machine = create((piece) => {
    text += piece
  })
  const flush = (controller: TransformStreamDefaultController<Uint8Array>) => {
    if (text !== '') controller.enqueue(encoder.encode(text))
    text = ''
  }
  return new TransformStream({
    transform(chunk, controller) {
      machine.push(chunk)
      flush(controller)
    },
    flush(controller) {
      machine.end()
      flush(controller)
    },
  })
}
