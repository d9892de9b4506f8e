import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { ROOT, readSource, sourceFiles } from '../sources.ts'
import type { Repository } from './graph.ts'

/** The files of this repository, those that are not committed included. */
export function readRepository(): Repository {
  const listed = existsSync(`${ROOT}/.git`)
    ? git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0').filter(Boolean)
    : sourceFiles('*', '{packages,apps,bench,verify,browser,clients,audit,packing,scripts,docs}/**/*')
  return { files: listed.filter((file) => existsSync(`${ROOT}/${file}`)), read: readSource }
}

/** The files that differ from a base: committed, in the working tree, or new. The base is where this branch left main, if none is given. */
export function changedFiles(base: string | undefined): { readonly base: string; readonly files: readonly string[] } {
  const chosen = base ?? mainBase()
  const changed = git('diff', '--name-only', '-z', '--no-renames', chosen, '--').split('\0')
  const added = git('ls-files', '-z', '--others', '--exclude-standard').split('\0')
  return { base: chosen, files: [...new Set([...changed, ...added].filter(Boolean))].sort() }
}

function mainBase(): string {
  const main = ['origin/main', 'main'].find((name) => succeeds('rev-parse', '--verify', '--quiet', `${name}^{commit}`))
  if (main === undefined)
    throw new Error('There is no branch main to compare with: give a commit with --base=<commit>.')
  return git('merge-base', 'HEAD', main).trim()
}

function succeeds(...args: readonly string[]): boolean {
  try {
    git(...args)
    return true
  } catch {
    return false
  }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
