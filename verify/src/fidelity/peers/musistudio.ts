import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Converter, Task } from '../converter.ts'
import { objectOf, textOf, type JsonObject } from '../json.ts'

/** The part of a transformer that is used here. Unified requests and responses are those of chat. */
interface Transformer {
  transformRequestOut?(request: JsonObject): Promise<unknown>
  transformRequestIn?(request: JsonObject, provider: JsonObject): Promise<unknown>
  transformResponseOut?(response: Response, context?: JsonObject): Promise<Response>
  transformResponseIn?(response: Response, context: JsonObject): Promise<Response>
}

const VERSION = '1.0.53'
const FOLDER = join(import.meta.dirname, '../../../.tools/musistudio')
const PACKAGE = join(FOLDER, 'node_modules/@musistudio/llms/dist/cjs/server.cjs')

/** Uses the transformers of its server. It has 140 dependencies, so it is installed when it is first scored. */
export async function loadMusistudio(): Promise<Converter | undefined> {
  if (!install()) return undefined
  const { default: Server } = createRequire(import.meta.url)(PACKAGE) as { default: new (options: object) => unknown }
  const server = new Server({ initialConfig: { providers: [] }, useJsonFile: false, useEnvFile: false, logger: false })
  const { transformerService } = server as {
    transformerService: { getTransformer(name: string): Transformer | undefined }
  }
  // It registers its transformers asynchronously, after the constructor has returned.
  for (let turn = 0; turn < 1000 && transformerService.getTransformer('gemini') === undefined; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  const anthropic = transformerService.getTransformer('Anthropic')
  const gemini = transformerService.getTransformer('gemini')
  if (anthropic === undefined || gemini === undefined) return undefined
  return {
    name: '@musistudio/llms',
    scope: 'requests from messages or chat, answers back',
    takes: ({ kind }, from, to) =>
      from !== 'responses' &&
      to !== 'responses' &&
      (kind === 'request'
        ? from !== 'genai' && to !== 'messages'
        : kind !== 'error' && from !== 'messages' && to !== 'genai'),
    async convert(task) {
      return { wire: await convert(task, anthropic, gemini), report: [] }
    },
  }
}

async function convert(
  { kind, from, to, wire }: Task,
  anthropic: Transformer,
  gemini: Transformer,
): Promise<JsonObject> {
  if (kind === 'request') {
    const unified = from === 'messages' ? objectOf(await anthropic.transformRequestOut?.(wire)) : wire
    if (to === 'chat') return unified
    return objectOf(
      objectOf(await gemini.transformRequestIn?.(unified, { name: 'gemini', baseUrl: 'https://upstream.example/' }))[
        'body'
      ],
    )
  }
  const type = kind === 'stream' ? 'text/event-stream' : 'application/json'
  const given = kind === 'stream' ? textOf(wire['text']) : JSON.stringify(wire)
  let response: Response | undefined = new Response(given, { headers: { 'content-type': type } })
  if (from === 'genai') response = await gemini.transformResponseOut?.(response, {})
  const context = JSON.parse('{"req":{"id":"1"}}') as JsonObject // the name is theirs
  if (to === 'messages' && response !== undefined) response = await anthropic.transformResponseIn?.(response, context)
  if (response === undefined) throw new Error('no response')
  return kind === 'stream' ? { text: await response.text() } : objectOf(await response.json())
}

function install(): boolean {
  if (existsSync(PACKAGE)) return true
  console.log('installing @musistudio/llms into bench/.tools (once)')
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(
    join(FOLDER, 'package.json'),
    JSON.stringify({ private: true, dependencies: { '@musistudio/llms': VERSION } }),
  )
  const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--loglevel=error']
  const { status } = spawnSync('npm', ['install', ...flags], { cwd: FOLDER, encoding: 'utf8', timeout: 120_000 })
  if (status !== 0) console.log('@musistudio/llms is left out: npm could not install it')
  return status === 0
}
