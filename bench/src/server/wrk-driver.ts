import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startRole } from './child.ts'
import type { Counted, Driver, Order } from './driver.ts'
import { removeFolder, temporaryFolder } from './gateway.ts'
import { cpuMicrosOf, onCore } from './machine.ts'
import type { Shot } from './shot.ts'

/** A package of Debian. */
const WRK = 'wrk'

/** For machines without a C compiler: wrk as the load generator, and the upstream on Node. Only whole responses. Undefined without wrk. */
export async function startWrkDriver(): Promise<Driver | undefined> {
  if (spawnSync(WRK, ['-v']).error !== undefined) return undefined
  const folder = temporaryFolder()
  const upstream = await startRole('upstream', 'shared')
  const run = async (shot: Shot, connections: number, milliseconds: number): Promise<string> => {
    const script = join(folder, 'request.lua')
    writeFileSync(script, luaOf(shot))
    const time = `-d${Math.max(1, Math.ceil(milliseconds / 1000))}s`
    const url = `http://127.0.0.1:${shot.port}${shot.path}`
    const [command, ...rest] = [
      ...onCore('shared'),
      WRK,
      '-t1',
      `-c${connections}`,
      time,
      '--latency',
      '-s',
      script,
      url,
    ]
    const { stdout } = await promisify(execFile)(command, rest)
    return stdout
  }
  return {
    upstreamPort: upstream.port,
    description:
      'THERE IS NO C COMPILER: load by wrk, upstream on Node, which may be slower than what is measured; no streams',
    async calls({ shot, connections, leadMs, windowMs, pid, onBegin }: Order) {
      if (leadMs > 0) await run(shot, connections, leadMs)
      onBegin()
      const before = cpuMicrosOf(pid)
      const text = await run(shot, connections, windowMs)
      return { ...readWrk(text), cpuMicros: cpuMicrosOf(pid) - before }
    },
    streams: undefined,
    stop() {
      upstream.stop()
      removeFolder(folder)
    },
  }
}

function luaOf({ headers, body }: Shot): string {
  const all = Object.entries({ 'content-type': 'application/json', ...headers })
  const lines = all.map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  return ['wrk.method = "POST"', `wrk.body = [==[${body}]==]`, ...lines].join('\n')
}

/** Reads the output of wrk. */
export function readWrk(text: string): Omit<Counted, 'cpuMicros'> {
  const [, refused] = /Non-2xx or 3xx responses: (\d+)/.exec(text) ?? []
  if (refused !== undefined) throw new Error(`${refused} answers were not a success.`)
  const [, count, seconds] = /(\d+) requests in ([\d.]+)s/.exec(text) ?? []
  const [, p50 = ''] = /50%\s+(\S+)/.exec(text) ?? []
  const [, p99 = ''] = /99%\s+(\S+)/.exec(text) ?? []
  const [, max = ''] = /Latency\s+\S+\s+\S+\s+(\S+)/.exec(text) ?? []
  return {
    count: Number(count),
    micros: Number(seconds) * 1e6,
    p50: microsOf(p50),
    p99: microsOf(p99),
    max: microsOf(max),
  }
}

const MICROS_OF: { readonly [unit: string]: number } = { us: 1, ms: 1000, s: 1e6, m: 6e7 }

/** `1.25ms` */
function microsOf(text: string): number {
  const [, number, unit = ''] = /^([\d.]+)(\w+)$/.exec(text) ?? []
  return Number(number) * (MICROS_OF[unit] ?? NaN)
}
