import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Client, Command, Run } from '../client.ts'
import { installPackages } from '../languages/javascript.ts'
import { installPackage } from '../languages/python.ts'
import { promptsOf } from '../scenarios.ts'

/** A coding agent from npm or PyPI. */
export interface Agent extends Pick<Client, 'title' | 'protocol' | 'upstreams' | 'echoes' | 'connect'> {
  readonly name: string
  readonly language?: keyof typeof INSTALL_OF
  readonly kind?: 'agent' | 'editor'
  /** Its entry in pins/npm.json, or its package in pins/python*.txt. */
  readonly pins: string
  readonly program: string
  /** The prompts of the scenario session, if its own faults do not allow the usual ones. */
  readonly session?: readonly string[]
  /** Configuration files, as paths from the home folder. */
  files?(run: Run): { readonly [path: string]: object | string }
  readonly env: (run: Run) => { readonly [name: string]: string }
  /** The arguments for one prompt, which begins or continues a conversation. */
  args(run: Run, prompt: string, position: 'first' | 'next'): readonly string[]
}

const INSTALL_OF = { javascript: installPackages, python: installPackage }

export function createAgent(agent: Agent): Client {
  const { name, title, protocol, upstreams, echoes, connect, pins, program } = agent
  const { language = 'javascript', kind = 'agent' } = agent
  return {
    name,
    title,
    protocol,
    upstreams,
    echoes,
    connect,
    language,
    kind,
    async install() {
      const { versions, bin } = await INSTALL_OF[language](pins)
      return {
        versions,
        commands(run) {
          for (const [path, content] of Object.entries(agent.files?.(run) ?? {})) writeIn(run.home, path, content)
          const prompts = run.scenario === 'session' ? agent.session : undefined
          return (prompts ?? promptsOf(kind, run.scenario)).map((prompt, index): Command => ({
            program: bin(program),
            args: agent.args(run, prompt, index === 0 ? 'first' : 'next'),
            env: agent.env(run),
          }))
        },
      }
    },
  }
}

function writeIn(home: string, path: string, content: object | string): void {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
}
