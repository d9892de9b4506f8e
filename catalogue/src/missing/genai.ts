const CLIENT = 'the SDK adds it'
const REQUIRED = 'optional in the types of the SDK, and required by the API'
const SPELLING = 'a keyword of schemas, which are data: it is named only for its spelling'

/** What the types of the SDK have and our grammar does not, and why. */
export const genai = {
  'contents.parts?': REQUIRED,
  'content.parts?': REQUIRED,
  'systemInstruction.parts?': REQUIRED,
  'inlineData.mimeType?': REQUIRED,
  'inlineData.data?': REQUIRED,
  'fileData.fileUri?': REQUIRED,
  'functionCall.name?': REQUIRED,
  'functionResponse.name?': REQUIRED,
  'functionDeclarations.name?': REQUIRED,
  'executableCode.code?': REQUIRED,
  'executableCode.language?': REQUIRED,
  'codeExecutionResult.outcome?': REQUIRED,
  'safetySettings.category?': REQUIRED,
  'safetySettings.threshold?': REQUIRED,
  'chosenCandidates.token?': REQUIRED,
  'chosenCandidates.logProbability?': REQUIRED,
  'body.sdkHttpResponse': CLIENT,
  'body.automaticFunctionCallingHistory': CLIENT,
  'word anyOf': SPELLING,
  'word items': SPELLING,
  'word maxItems': SPELLING,
  'word maxLength': SPELLING,
  'word maxProperties': SPELLING,
  'word minItems': SPELLING,
  'word minLength': SPELLING,
  'word minProperties': SPELLING,
  'word properties': SPELLING,
  'word propertyOrdering': SPELLING,
}
