/** Whether the upstream issued a seal. Requests that no double answers are checked without these rules. */
export interface SealRules {
  signed(signature: string, text: string): boolean
  issued(data: string): boolean
}

export const ANY_SEAL: SealRules = { signed: () => true, issued: () => true }
