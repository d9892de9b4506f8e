import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { format, promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// The TypeScript of the README, run. A block that imports begins a module and the blocks without an import go on with it;
// `// → text` is what the module logs, in this order. A server on a real socket answers in the vendor's place.
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const UPSTREAM = 'https://api.anthropic.com'
const FOLDER = '../.vitest/readme'
const modules = modulesOf(readFileSync(at('../README.md'), 'utf8'))

describe('README', () => {
  const upstream = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => void (body += chunk.toString()))
    request.on('end', () => {
      const stream = (JSON.parse(body) as { stream?: boolean }).stream === true // a body that the README wrote
      response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json')
      response.end(stream ? STREAM : JSON.stringify(ANSWER))
    })
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` // listens on a port
    rmSync(at(FOLDER), { recursive: true, force: true })
    mkdirSync(at(FOLDER), { recursive: true })
    for (const { file, code } of modules) writeFileSync(at(`${FOLDER}/${file}`), code.replaceAll(UPSTREAM, url))
  })
  afterAll(() => void upstream.close())

  it('converts a stream in five lines', () => {
    expect(modules[0]?.blocks[0]?.trim().split('\n')).toHaveLength(5)
    expect(modules[0]?.blocks[0]).toContain('transformStream')
  })

  it.each(modules)('$title: logs what it says', async ({ file, logs }) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    await import(/* @vite-ignore */ at(`${FOLDER}/${file}`))
    expect(log.mock.calls.map((values) => format(...values))).toEqual(logs)
    expect(logs).not.toEqual([])
  })

  it('compiles', async () => {
    const config = { extends: at('../../../tsconfig.base.json'), include: ['*.ts'] }
    writeFileSync(at(`${FOLDER}/tsconfig.json`), JSON.stringify(config))
    const tsc = promisify(execFile)(at('../node_modules/.bin/tsc'), ['-p', at(FOLDER)])
    const { stdout } = await tsc.catch((failure: { readonly stdout: string }) => failure)
    expect(stdout).toBe('')
  }, 60_000)
})

interface Module {
  readonly title: string
  readonly file: string
  readonly blocks: readonly string[]
  readonly code: string
  readonly logs: readonly string[]
}

function modulesOf(markdown: string): readonly Module[] {
  const found: { title: string; blocks: string[] }[] = []
  let title = ''
  for (const [, heading, code = ''] of markdown.matchAll(/^#+ (.+)$|^```ts\n([\s\S]*?)^```$/gm)) {
    if (heading !== undefined) title = heading
    else if (code.startsWith('import ')) found.push({ title, blocks: [code] })
    else found.at(-1)?.blocks.push(code)
  }
  return found.map(({ title, blocks }, index) => {
    const code = blocks.join('\n')
    const logs = [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, text = '']) => text)
    return { title, file: `${index}.ts`, blocks, code, logs }
  })
}

const USAGE = { input_tokens: 12, output_tokens: 4 }
const HEAD = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-6' }
const ANSWER = {
  ...HEAD,
  content: [{ type: 'text', text: 'Air scatters blue light.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: USAGE,
}
const STREAM = [
  { type: 'message_start', message: { ...ANSWER, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Air scatters ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'blue light.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: USAGE },
  { type: 'message_stop' },
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('')
