import type { ServerResponse } from 'node:http'
import type { Reply } from '@dragoman/gateway'

/** The longest body that is written as text, in bytes. */
const LONGEST_TEXT = 16 * 1024

/** A reply that writes to Node's response. Whole answers are written at once, because flushing the head early costs a packet. */
export function createNodeReply(response: ServerResponse): Reply {
  let over = false
  let waiting = false
  const reply: Reply = {
    whole(status, headers, body) {
      if (over) return
      const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
      // Throws for headers that HTTP does not allow. Then there can be another answer.
      response.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': length })
      over = true
      // A short body is written as text together with the head. Bytes would be a second write.
      if (typeof body === 'string') response.end(body, length === body.length ? 'latin1' : 'utf8')
      else if (body.length > LONGEST_TEXT) response.end(body)
      else response.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), 'latin1')
    },
    start(status, headers) {
      if (!over) response.writeHead(status, headers)
    },
    write(chunk) {
      if (over) return true
      const free = response.write(chunk)
      if (!free && !waiting) {
        waiting = true
        response.once('drain', onDrain)
      }
      return free
    },
    end() {
      if (over) return
      over = true
      response.end()
    },
    cut() {
      if (over) return
      over = true
      closeAfterWrites(response)
    },
    // Declared here, so that a later assignment does not change the hidden class.
    onDrain: undefined,
    onGone: undefined,
  }
  const onDrain = (): void => {
    waiting = false
    reply.onDrain?.()
  }
  response.on('close', () => {
    if (over) return
    over = true
    reply.onGone?.()
  })
  return reply
}

/** Not `destroy`, which would discard what has not been sent, and could reset the connection under a client that is still reading. */
function closeAfterWrites(response: ServerResponse): void {
  const { socket } = response
  if (socket !== null) socket.destroySoon()
  // An earlier answer on the connection is not finished. This one gets the socket, writes its chunks, and then closes it.
  else response.once('socket', () => setImmediate(() => closeAfterWrites(response)))
}
