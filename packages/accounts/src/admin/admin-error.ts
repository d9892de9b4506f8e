/** Why an admin call is refused. */
export class AdminError extends Error {
  readonly status: number
  readonly code: string
  /** The member or parameter that is wrong. */
  readonly field: string | undefined

  constructor(status: number, code: string, message: string, field?: string) {
    super(message)
    this.status = status
    this.code = code
    this.field = field
  }
}

export function unknownKey(id: string): AdminError {
  return new AdminError(404, 'unknown_key', `There is no key "${id.slice(0, 60)}".`)
}

export function wrongParameter(name: string, reason: string): AdminError {
  return new AdminError(400, 'wrong_parameter', `The parameter "${name}" ${reason}.`, name)
}
