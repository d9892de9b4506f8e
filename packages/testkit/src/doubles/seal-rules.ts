/** Whether a seal is one of the upstream's own. Requests that no double will answer are checked without. */
export interface SealRules {
  signed(signature: string, text: string): boolean
  issued(data: string): boolean
}

export const ANY_SEAL: SealRules = { signed: () => true, issued: () => true }
