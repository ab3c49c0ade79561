/** The name of the file with the settings of a repository, which describes no project. */
export const REPOSITORY_FILE = 'burgee.yaml'

/** The formats of files. */
export const fileFormats = ['yaml', 'json'] as const
export type FileFormat = (typeof fileFormats)[number]

/** How a project is divided into files. */
export const splits = ['feature', 'kind', 'none'] as const
export type Split = (typeof splits)[number]
