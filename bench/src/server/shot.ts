/** One call as bytes, sent repeatedly: nothing is built or parsed twice. */
export interface Shot {
  readonly port: number
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** Sends one call. Returns the text of its response. */
export async function callOnce(shot: Shot): Promise<string> {
  return (await answerOf(shot)).text
}

export interface Answer {
  readonly text: string
  /** How dragoman has served the call; undefined from other servers. */
  readonly mode: string | undefined
}

export async function answerOf({ port, path, headers, body }: Shot): Promise<Answer> {
  const all = { 'content-type': 'application/json', ...headers }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: all, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`Status ${answer.status}: ${text.slice(0, 600)}`)
  return { text, mode: answer.headers.get('x-dragoman-path') ?? undefined }
}

/** The call as it goes over the wire. */
export function requestBytes({ port, path, headers, body }: Shot): Buffer {
  const all = { host: `127.0.0.1:${port}`, 'content-type': 'application/json', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = Buffer.byteLength(body)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}content-length: ${length}\r\n\r\n${body}`)
}
