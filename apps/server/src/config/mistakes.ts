import { StartError } from '../settings.ts'

/** A mistake in a configuration. It never has the value, which may be a misplaced secret. */
export interface Mistake {
  /** In the file. */
  readonly path: readonly PropertyKey[]
  readonly reason: string
  /** Set if it is not a mistake in the file: then the reason is the whole line. */
  readonly source?: 'environment'
}

/** All mistakes of a configuration, one line each. */
export class ConfigError extends StartError {
  constructor(file: string, mistakes: readonly Mistake[]) {
    super(mistakes.map((mistake) => lineOf(file, mistake)).join('\n'))
  }
}

/** Throws all mistakes at once, if there are any. */
export function refuseAll(file: string | undefined, mistakes: readonly Mistake[]): void {
  if (mistakes.length > 0) throw new ConfigError(file ?? '', mistakes)
}

/** A mistake outside of the file. */
export function environmentMistake(line: string): Mistake {
  return { path: [], reason: line, source: 'environment' }
}

/** Whether one path is the other one, or leads to it. */
export function isPrefix(path: Mistake['path'], other: Mistake['path']): boolean {
  return path.length <= other.length && path.every((key, index) => String(key) === String(other[index]))
}

function lineOf(file: string, { path, reason, source }: Mistake): string {
  return source === 'environment' ? reason : `${file}: ${describePath(path)}${reason}`
}

function describePath(path: readonly PropertyKey[]): string {
  return path.length === 0 ? '' : `${path.map(String).join('.')} `
}
