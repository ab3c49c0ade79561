// The chosen theme and density, before the first paint.
try {
  const root = document.documentElement
  const theme = localStorage.getItem('burgee.theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
  if (localStorage.getItem('burgee.density') === 'compact') root.dataset.density = 'compact'
} catch {}
