import type { KeyType } from '../keys/sdkKeys.ts'

/** The type of a variable. */
export type VariableType = 'Boolean' | 'String' | 'Number' | 'JSON'

/** What a snippet is filled with. */
export interface SnippetInput {
  /** The address of the server, without a slash at its end. */
  readonly url: string
  /** The SDK key: of the type that the language takes. */
  readonly sdkKey: string
  readonly variable: { readonly key: string; readonly type: VariableType }
}

/** What to run in a shell, and what to put into the application. */
export interface SnippetCode {
  readonly shell: string
  readonly code: string
}

/** A language or platform, with its snippets. OpenFeature's is left out where its SDK needs a provider of one's own. */
export interface SnippetLanguage {
  readonly id: string
  readonly title: string
  readonly keyType: KeyType
  readonly openfeature?: (input: SnippetInput) => SnippetCode
  readonly native?: (input: SnippetInput) => SnippetCode
}

/** The variable of a list that explains best: the first one that is true or false, else the first. */
export function exampleVariable<Variable extends SnippetInput['variable']>(
  variables: readonly Variable[] | undefined
): Variable | undefined {
  return variables?.find(({ type }) => type === 'Boolean') ?? variables?.[0]
}

/** A text between quotation marks, as all these languages read it. Keys and addresses have no other special signs. */
export function quote(text: string, mark: "'" | '"' = "'"): string {
  return mark + text.replaceAll('\\', '\\\\').replaceAll(mark, `\\${mark}`) + mark
}

/** The lines of a shell that install something and give the program its secret key. */
export function shell(install: string, { sdkKey }: SnippetInput): string {
  return `${install}\nexport BURGEE_SERVER_KEY=${sdkKey}`
}

/** The default of a variable in JavaScript. */
export const scriptDefaults: Readonly<Record<VariableType, string>> = {
  Boolean: 'false',
  String: "''",
  Number: '0',
  JSON: '{}'
}

/** How OpenFeature's methods call the types of variables in most languages. */
export const typeNames: Readonly<Record<VariableType, string>> = {
  Boolean: 'Boolean',
  String: 'String',
  Number: 'Number',
  JSON: 'Object'
}
