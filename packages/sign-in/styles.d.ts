// Types `import '@gatehouse/sign-in/styles.css'` for projects whose type check knows no style sheets.
export {}
