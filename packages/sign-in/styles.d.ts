// Types `import '@gatehouse/sign-in/styles.css'` for projects whose type checker does not know style sheets.
export {}
