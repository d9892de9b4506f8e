import type { Emit } from '../ir/stream.ts'
import type { AnswerStream } from './answer-stream.ts'

/**
 * A web stream around an answer's machine, for code that does not own its I/O. `settled` is called once: when the answer has ended, or when
 * its reader has left.
 */
export function transformStream(
  create: (write: Emit<string>) => AnswerStream,
  settled?: (answer: AnswerStream) => void,
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
  // The types of the DOM do not have `cancel` yet.
  const transformer: Transformer<Uint8Array, Uint8Array> & { cancel(): void } = {
    transform(chunk, controller) {
      machine.push(chunk)
      flush(controller)
    },
    flush(controller) {
      machine.end()
      flush(controller)
      settled?.(machine)
    },
    cancel() {
      machine.stop()
      settled?.(machine)
    },
  }
  return new TransformStream(transformer)
}
