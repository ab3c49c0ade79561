// The chosen theme and density, before the first paint.
try {
  var root = document.documentElement
  var theme = localStorage.getItem('burgee.theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
  if (localStorage.getItem('burgee.density') === 'compact') root.dataset.density = 'compact'
} catch {}
