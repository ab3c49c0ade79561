/** The page that a browser ends on after somebody signed in, or was to. */
export function resultPage(isSignedIn: boolean): string {
  const [title, told] = isSignedIn
    ? ['Signed in', 'You can close this page and go back to the terminal.']
    : ['Not signed in', 'Go back to the terminal: it says why, or still waits for you to sign in.']
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>`,
    `<body><h1>${title}</h1><p>${told}</p></body></html>`,
    ''
  ].join('\n')
}
