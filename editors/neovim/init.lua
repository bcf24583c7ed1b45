-- Settings for Neovim: the language server, by the way of this version, and the grammars where they are installed.
--
--   vim.g.glushkov = { path = "…/glushkov", strategies = { "cpu", "gpu" } }  -- what is not found or not wished
--   dofile("…/editors/neovim/init.lua")

local given = vim.g.glushkov or {}
local command = { given.path or "glushkov", "lsp" }
local options = { strategies = given.strategies }
local languages = { "glushkov", "glushkov-rules" }

local endings = { saa = "glushkov", ops = "glushkov", saag = "glushkov", saaf = "glushkov", rules = "glushkov-rules" }
if vim.fn.has("nvim-0.8") == 1 then
  vim.filetype.add({ extension = endings })
else
  for ending, language in pairs(endings) do
    vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
      pattern = "*." .. ending,
      command = "set filetype=" .. language,
    })
  end
end

if vim.lsp.config then
  -- 0.11 and later.
  vim.lsp.config("glushkov", {
    cmd = command,
    filetypes = languages,
    root_markers = { ".git" },
    init_options = options,
  })
  vim.lsp.enable("glushkov")
  vim.lsp.inlay_hint.enable(true)
else
  local client
  vim.api.nvim_create_autocmd("FileType", {
    pattern = languages,
    callback = function(event)
      client = client
        or vim.lsp.start_client({
          name = "glushkov",
          cmd = command,
          init_options = options,
          on_exit = function()
            client = nil
          end,
        })
      if client then
        vim.lsp.buf_attach_client(event.buf, client)
        vim.bo[event.buf].omnifunc = "v:lua.vim.lsp.omnifunc"
      end
    end,
  })
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = languages,
  callback = function(event)
    vim.bo[event.buf].commentstring = "# %s"
    vim.bo[event.buf].shiftwidth = 2
    vim.bo[event.buf].expandtab = true
    if vim.treesitter.start then
      -- Where no parser is installed, the server gives colours.
      pcall(vim.treesitter.start, event.buf, event.match:gsub("-", "_"))
    end
  end,
})
