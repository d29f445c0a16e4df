// Nothing to set: Svelte reads TypeScript by itself. The file is here for svelte-check and editors.
export default {};
