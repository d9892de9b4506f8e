import { DragomanError, type Protocol } from '@dragoman/core'
import type { ImageRequest, MediaCall } from '@dragoman/core/media'
import { readCall } from './image-exchange.ts'
import { same, show } from './same.ts'

/** A null member of a body counts as absent. A required member is refused in both cases. */
export function mustReadNulls(protocol: Protocol, { operation, body }: MediaCall): void {
  for (const member of Object.keys(body).filter((name) => !name.startsWith('x_'))) {
    const { [member]: _given, ...others } = body
    const absent = tryRead(protocol, { operation, body: others })
    const given = tryRead(protocol, { operation, body: { ...others, [member]: null } })
    if (!same(given, absent))
      throw new Error(`${member}: null is not absent\n null   ${show(given)}\n absent ${show(absent)}`)
  }
}

function tryRead(protocol: Protocol, call: MediaCall): ImageRequest | 'refused' {
  try {
    return readCall(protocol, call)
  } catch (error) {
    if (DragomanError.isInstance(error)) return 'refused'
    throw error
  }
}
