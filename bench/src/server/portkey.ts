import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The oldest hono in its version ranges: its streams fail with the newest, and work with this one. */
const MANIFEST = {
  private: true,
  dependencies: { '@portkey-ai/gateway': '1.15.2' },
  overrides: { hono: '4.9.7', '@hono/node-server': '1.3.3' },
}

const FOLDER = join(import.meta.dirname, '../../.tools/portkey')
const SCRIPT = join(FOLDER, 'node_modules/@portkey-ai/gateway/build/start-server.js')

/** The start script of the Portkey gateway, installed on first use. */
export function installPortkey(): string {
  const manifest = JSON.stringify(MANIFEST)
  const file = join(FOLDER, 'package.json')
  if (existsSync(SCRIPT) && readFileSync(file, 'utf8') === manifest) return SCRIPT
  console.log('installing Portkey into bench/.tools (once)')
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(file, manifest)
  const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--loglevel=error']
  const { status, stderr } = spawnSync('npm', ['install', ...flags], {
    cwd: FOLDER,
    encoding: 'utf8',
    timeout: 120_000,
  })
  if (status === 0 && existsSync(SCRIPT)) return SCRIPT
  throw new Error(`npm could not install Portkey: ${stderr?.trim().split('\n').at(-1) ?? ''}`)
}
