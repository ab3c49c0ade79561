/** Says why the file system refused a path, and what to do; `undefined` for other errors. */
export function describeFileError(error: unknown): string | undefined {
  const { code = '', path, syscall } = Object(error) as NodeJS.ErrnoException
  if (!(error instanceof Error) || typeof path !== 'string' || syscall === undefined) return undefined
  const known = problems[code]
  return known === undefined ? undefined : `${path} ${known}`
}

const problems: Readonly<Record<string, string>> = {
  EEXIST: 'is a file: name a folder',
  ENOTDIR: 'is inside a file: name a path in a folder',
  EISDIR: 'is a folder: name a file',
  EACCES: 'cannot be opened or changed: its permissions do not allow it',
  EPERM: 'cannot be opened or changed: its permissions do not allow it',
  EROFS: 'cannot be changed: its file system is read-only',
  ENOENT: 'cannot be opened or created: it does not exist, or the folder around it does not',
  ENOSPC: 'cannot be written: the disk is full',
  ENAMETOOLONG: 'cannot be created: the name is too long'
}
