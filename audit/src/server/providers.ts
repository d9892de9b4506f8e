/** The protocols of conversations. */
export type Spoken = 'chat' | 'messages' | 'genai' | 'responses'
