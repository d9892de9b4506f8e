import { StartError } from '../settings.ts'

/** What is wrong in a configuration file, and where. Never what stands there: it may be a secret that is in the wrong place. */
export interface Mistake {
  readonly path: readonly PropertyKey[]
  readonly reason: string
}

/** Every mistake of a file, one line each. */
export class ConfigError extends StartError {
  constructor(file: string, mistakes: readonly Mistake[]) {
    super(mistakes.map(({ path, reason }) => `${file}: ${describePath(path)}${reason}`).join('\n'))
  }
}

function describePath(path: readonly PropertyKey[]): string {
  return path.length === 0 ? '' : `${path.map(String).join('.')} `
}
