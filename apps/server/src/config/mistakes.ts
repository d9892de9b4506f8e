import { StartError } from '../settings.ts'

/** A mistake in a configuration file and its path. It never has the value, which may be a misplaced secret. */
export interface Mistake {
  readonly path: readonly PropertyKey[]
  readonly reason: string
}

/** All mistakes of a file, one line each. */
export class ConfigError extends StartError {
  constructor(file: string, mistakes: readonly Mistake[]) {
    super(mistakes.map(({ path, reason }) => `${file}: ${describePath(path)}${reason}`).join('\n'))
  }
}

function describePath(path: readonly PropertyKey[]): string {
  return path.length === 0 ? '' : `${path.map(String).join('.')} `
}
